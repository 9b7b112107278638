/** Ajv options for oddsmith's own schemas. */

/**
 * Skips the check against the meta-schema, which takes a starting process longer than compiling the schema. A test does
 * that check for each schema.
 */
export const OWN_SCHEMAS = { strict: false, meta: false, validateSchema: false } as const;
