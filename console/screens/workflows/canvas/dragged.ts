/** What a type of node that is dragged out of the palette is known by. */
export const DRAGGED_NODE_MIME_TYPE = 'application/x-stentor-node'
