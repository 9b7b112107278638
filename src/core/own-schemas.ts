/** Options of Ajv for schemas that are our own. */

/** Tests compile each of them with the meta-schema, which takes a process that starts longer than the schema itself. */
export const OWN_SCHEMAS = { strict: false, meta: false, validateSchema: false } as const;
