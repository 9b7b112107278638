/** Has a name that would write to the terminal. */

export default { name: '\u001b[2Jgone', decide: () => [] };
