import { type RefObject, useImperativeHandle } from 'react'
import type { Form } from '../../components/form/use-form.ts'

/** What a step saves before the next one is opened; answers whether it is saved. Null for a step without a form. */
export type SaveFirst = RefObject<(() => Promise<boolean>) | null>

/** Saves what is not saved of this form before the next step is opened. */
export function useSaveFirst<T>(saveFirst: SaveFirst | undefined, { changes, save }: Form<T>): void {
  useImperativeHandle(saveFirst, () => async () => changes.length === 0 || save())
}
