import { useEffect, useState } from 'react'
import { Refusal } from '../../../api/refusal.ts'
import { dropDraft, keepDraft, readDraft } from '../../../components/form/drafts.ts'
import { withValue } from '../../../components/form/pointers.ts'
import type { Edited } from '../../../components/form/use-form.ts'
import type { Step } from '../model/graph.ts'

/** What is given to a simulation. */
export interface Trial {
  nodes: readonly Step[]
  contact: string | null
  /** When it begins; null: now. */
  clock: string | null
  /** Where it begins; null: at the entry. */
  node: string | null
  events: unknown
  data: unknown
  event: unknown
  responses: unknown
}

const BLANK = { contact: null, clock: null, node: null, events: [], data: null, event: null, responses: null }

/** What was given the last time is kept in this browser: the graph is changed, then tried again. */
export function useTrial(workflow: number, nodes: readonly Step[], error: unknown) {
  const name = `simulation.${workflow}`
  const [given, setGiven] = useState<Omit<Trial, 'nodes'>>(() => ({
    ...BLANK,
    ...readDraft<Omit<Trial, 'nodes'>>(name)?.value,
  }))
  useEffect(() => {
    if (JSON.stringify(given) === JSON.stringify(BLANK)) dropDraft(name)
    else keepDraft(name, { value: given, etag: null })
  }, [name, given])
  const faults = error instanceof Refusal ? error.errors : []
  const form: Edited<Trial> = {
    value: { ...given, nodes },
    set: (pointer, value) => setGiven((before) => withValue(before, pointer, value)),
    faultAt: (pointer) => faults.find((fault) => fault.pointer === pointer)?.detail,
  }
  return { form, given, clear: () => setGiven(BLANK) }
}
