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
  /** `onDone` is called for each added file, with its index among the files. */
  take(files: readonly File[], onDone?: (addedMedia: ApiMedia, place: number) => void): void
  forget(key: number): void
}

type UploadRun = (...uploadArguments: Parameters<MediaUploads['take']>) => Promise<void>

let lastKey = 0

/** Files that are added, one after the other; those that are refused stay with why. */
export function useMediaUploads(): MediaUploads {
  const t = useTranslator(mediaTexts)
  const queryClient = useQueryClient()
  const [entries, setEntries] = useState<readonly MediaUpload[]>([])
  const changeEntry = (key: number, part: Partial<MediaUpload>): void =>
    setEntries((previousEntries) => previousEntries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)))
  const forgetEntry = (key: number): void =>
    setEntries((previousEntries) => previousEntries.filter((entry) => entry.key !== key))
  const uploadFiles: UploadRun = async (files, onDone) => {
    const startedEntries = files.map(({ name }) => ({ key: ++lastKey, name, share: 0, error: null }))
    setEntries((previousEntries) => [...previousEntries.filter(({ error }) => error === null), ...startedEntries])
    let addedCount = 0
    for (const [index, file] of files.entries()) {
      const { key } = startedEntries[index]!
      try {
        const addedMedia = await uploadMedia(file, (share) => changeEntry(key, { share }))
        addedCount++
        forgetEntry(key)
        onDone?.(addedMedia, index)
      } catch (error) {
        changeEntry(key, { error })
      }
    }
    await queryClient.invalidateQueries({ queryKey: ['media'] })
    if (addedCount > 0) showToast(t('uploaded', { count: addedCount }))
  }
  return { entries, forget: forgetEntry, take: (files, onDone) => void uploadFiles(files, onDone) }
}
