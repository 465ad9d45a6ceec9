/** What a type of node that is dragged out of the palette is known by. */
export const DRAGGED_TYPE = 'application/x-stentor-node'
