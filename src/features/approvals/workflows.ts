import { parseInt32Id } from '../../lib/ids.ts'
import { collectWorkflowContents, listWorkflowSegments } from '../workflows/definition/definition-contents.ts'
import { waitForWorkflowListening } from '../workflows/definition/event-interests.ts'
import { lockNamedScripts } from '../workflows/definition/named-scripts.ts'
import { listOpenRunDefinitions, lockWorkflow } from '../workflows/workflow-repository.ts'
import { activateWorkflowInTx } from '../workflows/workflows.ts'
import type { Approvable } from './approvable.ts'

/** Workflows: what is approved is activated. */
export const approvableWorkflows: Approvable = {
  readId: parseInt32Id,
  showId: (id) => id,
  async lock({ db }, key) {
    const { name, description, definition } = await lockWorkflow(db, key)
    const { segments, ...scripts } = await lockNamedScripts(db, key.account, [
      definition,
      ...(await listOpenRunDefinitions(db, key)),
    ])
    return {
      name,
      parts: { definition: { name, description, definition }, scripts },
      audience: null,
      segments: [...listWorkflowSegments(collectWorkflowContents(definition)), ...segments],
    }
  },
  async perform({ db, clock, sandbox }, key, { rights }) {
    await activateWorkflowInTx(db, { clock, sandbox }, key, rights)
    return null
  },
  committed: ({ db }, { account }) => waitForWorkflowListening(db, account),
}
