import { readIntId } from '../../lib/ids.ts'
import { contentsOf, segmentsOf } from '../workflows/definition/contents.ts'
import { untilWorkflowsListen } from '../workflows/definition/listening.ts'
import { holdScripts } from '../workflows/definition/named-scripts.ts'
import { lockWorkflow, openDefinitions } from '../workflows/stored.ts'
import { activateIn } from '../workflows/workflows.ts'
import type { Approvable } from './approvable.ts'

/** Workflows: what is approved is activated. */
export const workflows: Approvable = {
  readId: readIntId,
  showId: (id) => id,
  async lock({ db }, key) {
    const { name, description, definition } = await lockWorkflow(db, key)
    const { segments, ...scripts } = await holdScripts(db, key.account, [
      definition,
      ...(await openDefinitions(db, key)),
    ])
    return {
      name,
      parts: { definition: { name, description, definition }, scripts },
      audience: null,
      segments: [...segmentsOf(contentsOf(definition)), ...segments],
    }
  },
  async perform({ db, clock, sandbox }, key, { rights }) {
    await activateIn(db, { clock, sandbox }, key, rights)
    return null
  },
  committed: ({ db }, { account }) => untilWorkflowsListen(db, account),
}
