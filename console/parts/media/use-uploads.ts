import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { tell } from '../../frame/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { type Media, uploadMedia } from './calls.ts'
import { mediaTexts } from './texts.ts'

/** A file on its way, or one that was refused. */
export interface Upload {
  key: number
  name: string
  /** 0 to 1: how much of it has left. */
  share: number
  error: unknown
}

export interface Uploads {
  entries: readonly Upload[]
  take(files: readonly File[]): void
  forget(key: number): void
}

let last = 0

/** Files that are added, one after the other; those that are refused stay with why. */
export function useUploads(onDone?: (media: Media) => void): Uploads {
  const t = useText(mediaTexts)
  const queries = useQueryClient()
  const [entries, setEntries] = useState<readonly Upload[]>([])
  const change = (key: number, part: Partial<Upload>): void =>
    setEntries((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const forget = (key: number): void => setEntries((all) => all.filter((one) => one.key !== key))
  const run = async (files: readonly File[]): Promise<void> => {
    const begun = files.map(({ name }) => ({ key: ++last, name, share: 0, error: null }))
    setEntries((all) => [...all.filter(({ error }) => error === null), ...begun])
    const made: Media[] = []
    for (const [index, file] of files.entries()) {
      const { key } = begun[index]!
      try {
        made.push(await uploadMedia(file, (share) => change(key, { share })))
        forget(key)
      } catch (error) {
        change(key, { error })
      }
    }
    await queries.invalidateQueries({ queryKey: ['media'] })
    if (made.length > 0) tell(t('uploaded', { count: made.length }))
    for (const one of made) onDone?.(one)
  }
  return { entries, forget, take: (files) => void run(files) }
}
