import { type RefObject, useImperativeHandle } from 'react'
import type { FormState } from '../../components/form/use-form.ts'

/** Saves a step before the next one opens; returns true if it was saved. Null for a step without a form. */
export type SaveBeforeNextStep = RefObject<(() => Promise<boolean>) | null>

/** Saves what is not saved of this form before the next step is opened. */
export function useSaveBeforeNextStep<T>(
  saveFirst: SaveBeforeNextStep | undefined,
  { changes, save }: FormState<T>,
): void {
  useImperativeHandle(saveFirst, () => async () => changes.length === 0 || save())
}
