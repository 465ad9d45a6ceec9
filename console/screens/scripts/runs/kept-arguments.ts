import { useState } from 'react'
import { account } from '../../../api/client.ts'
import { keep, readKept } from '../../../layout/preferences.ts'

/** What something was last run with, kept in this browser for the next time. */
export function useKept<T>(name: string, first: T): [T, (change: (before: T) => T) => void] {
  const key = `arguments.${account}.${name}`
  const [value, setValue] = useState(() => readKept(key, first))
  const change = (make: (before: T) => T): void =>
    setValue((before) => {
      const next = make(before)
      keep(key, next)
      return next
    })
  return [value, change]
}
