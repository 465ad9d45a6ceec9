import { useEffect, useState } from 'react'
import { ApiRefusal } from '../../../api/refusal.ts'
import { deleteUnsavedForm, readUnsavedForm, storeUnsavedForm } from '../../../components/form/drafts.ts'
import { setPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import type { WorkflowFormNode } from '../model/graph.ts'

/** Input of a simulation. */
export interface SimulationInput {
  nodes: readonly WorkflowFormNode[]
  contact: string | null
  /** Start time; null for now. */
  clock: string | null
  /** Start node; null for the entry. */
  node: string | null
  events: unknown
  data: unknown
  event: unknown
  responses: unknown
}

const BLANK_INPUT = { contact: null, clock: null, node: null, events: [], data: null, event: null, responses: null }

/** The last input is stored in this browser, since the graph is changed and then simulated again. */
export function useSimulationInput(workflow: number, nodes: readonly WorkflowFormNode[], error: unknown) {
  const name = `simulation.${workflow}`
  const [storedInput, setStoredInput] = useState<Omit<SimulationInput, 'nodes'>>(() => ({
    ...BLANK_INPUT,
    ...readUnsavedForm<Omit<SimulationInput, 'nodes'>>(name)?.value,
  }))
  useEffect(() => {
    if (JSON.stringify(storedInput) === JSON.stringify(BLANK_INPUT)) deleteUnsavedForm(name)
    else storeUnsavedForm(name, { value: storedInput, etag: null })
  }, [name, storedInput])
  const inputFaults = error instanceof ApiRefusal ? error.errors : []
  const form: FormBinding<SimulationInput> = {
    value: { ...storedInput, nodes },
    set: (pointer, value) => setStoredInput((before) => setPointerValue(before, pointer, value)),
    faultAt: (pointer) => inputFaults.find((fault) => fault.pointer === pointer)?.detail,
  }
  return { form, given: storedInput, clear: () => setStoredInput(BLANK_INPUT) }
}
