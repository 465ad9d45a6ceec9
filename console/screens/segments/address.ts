/** Search, type and sort of the segment list in the address. */
export interface SegmentsSearch {
  q?: string
  type?: 'static' | 'dynamic'
  sort?: string
}
