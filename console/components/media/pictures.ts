import { type ApiMedia, PICTURE_MIME_TYPES } from './calls.ts'

const PICTURE_TYPES = new Set(PICTURE_MIME_TYPES.split(','))

/** Files that mail readers show as pictures. */
export const filterPictureFiles = (files: Iterable<File>): File[] =>
  [...files].filter(({ type }) => PICTURE_TYPES.has(type))

export const hasTransferFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

/** Returns the files of a clipboard; none if it also has text: spreadsheets and word processors add a picture of the text. */
export const listPastedFiles = (data: DataTransfer | null): File[] =>
  data === null || data.getData('text/plain') !== '' ? [] : [...data.files]

/** Messages are seldom wider. */
const MAX_WIDTH_PX = 600

/** A picture as HTML, and where in it the words for it go. */
export function renderPictureTag({ address, width }: ApiMedia): { text: string; words: number } {
  const tagPrefix = `<img src="${address}" alt="`
  const shownWidthPx = Math.min(width ?? MAX_WIDTH_PX, MAX_WIDTH_PX)
  return {
    text: `${tagPrefix}" width="${shownWidthPx}" style="max-width: 100%; height: auto">`,
    words: tagPrefix.length,
  }
}
