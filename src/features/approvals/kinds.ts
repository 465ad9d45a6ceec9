import { approvableActions, approvableRcsActions } from './actions.ts'
import type { Approvable, ApprovalKind } from './approvable.ts'
import { approvableNotifications } from './notifications.ts'
import { approvableWorkflows } from './workflows.ts'

/** What is asked for and approved, by kind. */
export const approvablesByKind: Readonly<Record<ApprovalKind, Approvable>> = {
  action: approvableActions,
  rcs: approvableRcsActions,
  notification: approvableNotifications,
  workflow: approvableWorkflows,
}
