import { useState } from 'react'
import { accountId } from '../../../api/client.ts'
import { readLocalPreference, storeLocalPreference } from '../../../layout/preferences.ts'

/** What something was last run with, kept in this browser for the next time. */
export function useLastArguments<T>(name: string, first: T): [T, (change: (before: T) => T) => void] {
  const key = `arguments.${accountId}.${name}`
  const [value, setValue] = useState(() => readLocalPreference(key, first))
  const change = (make: (before: T) => T): void =>
    setValue((before) => {
      const next = make(before)
      storeLocalPreference(key, next)
      return next
    })
  return [value, change]
}
