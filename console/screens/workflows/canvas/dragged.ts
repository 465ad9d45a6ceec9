/** MIME type of a node type dragged from the palette. */
export const DRAGGED_NODE_MIME_TYPE = 'application/x-stentor-node'
