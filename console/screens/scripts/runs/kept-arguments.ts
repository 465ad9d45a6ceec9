import { useState } from 'react'
import { accountId } from '../../../api/client.ts'
import { readLocalPreference, storeLocalPreference } from '../../../layout/preferences.ts'

/** Input of the last run, stored in this browser for the next one. */
export function useLastArguments<T>(name: string, first: T): [T, (changeValue: (before: T) => T) => void] {
  const key = `arguments.${accountId}.${name}`
  const [value, setValue] = useState(() => readLocalPreference(key, first))
  const changeValue = (make: (before: T) => T): void =>
    setValue((before) => {
      const nextValue = make(before)
      storeLocalPreference(key, nextValue)
      return nextValue
    })
  return [value, changeValue]
}
