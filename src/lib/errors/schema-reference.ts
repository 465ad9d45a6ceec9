/**
 * A keyword of schemas: the component of the reference that says more than the schema itself, which is all that requests
 * are validated with.
 */
export const COMPONENT_REF_KEYWORD = 'x-component'
