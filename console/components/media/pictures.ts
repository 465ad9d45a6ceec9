import { type ApiMedia, PICTURE_MIME_TYPES } from './calls.ts'

const KINDS = new Set(PICTURE_MIME_TYPES.split(','))

/** Files that mail readers show as pictures. */
export const filterPictureFiles = (files: Iterable<File>): File[] => [...files].filter(({ type }) => KINDS.has(type))

export const hasTransferFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

/** The files of a clipboard; none where it has words too: programs for texts and tables give a picture of them beside. */
export const listPastedFiles = (data: DataTransfer | null): File[] =>
  data === null || data.getData('text/plain') !== '' ? [] : [...data.files]

/** Messages are seldom wider. */
const WIDEST_PX = 600

/** A picture as HTML, and where in it the words for it go. */
export function renderPictureTag({ address, width }: ApiMedia): { text: string; words: number } {
  const before = `<img src="${address}" alt="`
  const shown = Math.min(width ?? WIDEST_PX, WIDEST_PX)
  return { text: `${before}" width="${shown}" style="max-width: 100%; height: auto">`, words: before.length }
}
