import { useEffect, useState } from 'react'
import { ApiRefusal } from '../../../api/refusal.ts'
import { deleteUnsavedForm, readUnsavedForm, storeUnsavedForm } from '../../../components/form/drafts.ts'
import { setPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import type { WorkflowFormNode } from '../model/graph.ts'

/** What is given to a simulation. */
export interface SimulationInput {
  nodes: readonly WorkflowFormNode[]
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
export function useSimulationInput(workflow: number, nodes: readonly WorkflowFormNode[], error: unknown) {
  const name = `simulation.${workflow}`
  const [given, setGiven] = useState<Omit<SimulationInput, 'nodes'>>(() => ({
    ...BLANK,
    ...readUnsavedForm<Omit<SimulationInput, 'nodes'>>(name)?.value,
  }))
  useEffect(() => {
    if (JSON.stringify(given) === JSON.stringify(BLANK)) deleteUnsavedForm(name)
    else storeUnsavedForm(name, { value: given, etag: null })
  }, [name, given])
  const faults = error instanceof ApiRefusal ? error.errors : []
  const form: FormBinding<SimulationInput> = {
    value: { ...given, nodes },
    set: (pointer, value) => setGiven((before) => setPointerValue(before, pointer, value)),
    faultAt: (pointer) => faults.find((fault) => fault.pointer === pointer)?.detail,
  }
  return { form, given, clear: () => setGiven(BLANK) }
}
