import { actions, rcsActions } from './actions.ts'
import type { Approvable, ApprovalKind } from './approvable.ts'
import { notifications } from './notifications.ts'
import { workflows } from './workflows.ts'

/** What is asked for and approved, by kind. */
export const approvables: Readonly<Record<ApprovalKind, Approvable>> = {
  action: actions,
  rcs: rcsActions,
  notification: notifications,
  workflow: workflows,
}
