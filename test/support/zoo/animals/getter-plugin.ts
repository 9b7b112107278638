/** Has a name that throws when it is read. */

export default {
  get name() {
    return JSON.parse('{');
  },
  decide: () => [],
};
