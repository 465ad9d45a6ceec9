import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiMedia, uploadMedia } from './calls.ts'
import { mediaTexts } from './texts.ts'

/** A file on its way, or one that was refused. */
export interface MediaUpload {
  key: number
  name: string
  /** 0 to 1: how much of it has left. */
  share: number
  error: unknown
}

export interface MediaUploads {
  entries: readonly MediaUpload[]
  /** `onDone` is told of each that was added, with its place among the files. */
  take(files: readonly File[], onDone?: (media: ApiMedia, place: number) => void): void
  forget(key: number): void
}

type Run = (...given: Parameters<MediaUploads['take']>) => Promise<void>

let last = 0

/** Files that are added, one after the other; those that are refused stay with why. */
export function useMediaUploads(): MediaUploads {
  const t = useTranslator(mediaTexts)
  const queries = useQueryClient()
  const [entries, setEntries] = useState<readonly MediaUpload[]>([])
  const change = (key: number, part: Partial<MediaUpload>): void =>
    setEntries((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const forget = (key: number): void => setEntries((all) => all.filter((one) => one.key !== key))
  const run: Run = async (files, onDone) => {
    const begun = files.map(({ name }) => ({ key: ++last, name, share: 0, error: null }))
    setEntries((all) => [...all.filter(({ error }) => error === null), ...begun])
    let made = 0
    for (const [index, file] of files.entries()) {
      const { key } = begun[index]!
      try {
        const media = await uploadMedia(file, (share) => change(key, { share }))
        made++
        forget(key)
        onDone?.(media, index)
      } catch (error) {
        change(key, { error })
      }
    }
    await queries.invalidateQueries({ queryKey: ['media'] })
    if (made > 0) showToast(t('uploaded', { count: made }))
  }
  return { entries, forget, take: (files, onDone) => void run(files, onDone) }
}
