import type { ActionFamily } from '../../../channels/action-families.ts'
import type { ChannelActionType } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import type { AccountSendingSettings } from '../../accounts/sending-settings-schemas.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { CompiledDesign } from '../content/design-content.ts'
import type { StoredAction } from './action-repository.ts'
import type { ActionBody } from './action-schemas.ts'

/** Definitions of an account that an action may reference. */
export interface ActionReferences {
  account: AccountId
  fields: readonly ContactFieldDefinition[]
  sending: AccountSendingSettings
  /** HTML compiled from the design of a body. */
  made?: CompiledDesign | undefined
}

/** Members of an action that a write defines. */
export type ActionDefinition = Pick<
  StoredAction,
  'type' | 'name' | 'description' | 'folder' | 'settings' | 'content' | 'scheduler'
>

/** Members of a body that every family parses in the same way. */
export type CommonActionBody = Pick<ActionBody, 'name' | 'description' | 'informations' | 'scheduler'> & {
  type?: ChannelActionType
  settings?: { field?: number | null; mp?: { topic?: string | null }; experiment?: unknown }
}

/** Format of the actions of a family: its states and ids, and the parsing and presentation that differ between families. */
export interface ActionFormat<Body extends CommonActionBody, Shown> {
  family: ActionFamily
  /** A body without what clients send for what is unset. */
  tidied(body: Body): Body
  /** Settings and content of a new action. */
  empty(
    type: ChannelActionType,
    body: Body,
    surroundings: ActionReferences & { field: number },
  ): Pick<ActionDefinition, 'settings' | 'content'>
  /** Settings and content after a write. Adds what is wrong to `faults`. */
  read(
    storedAction: ActionDefinition,
    body: Body,
    surroundings: ActionReferences,
    faults: ProblemFault[],
  ): Pick<ActionDefinition, 'settings' | 'content'>
  /** Throws notFound for the first new reference of the settings that the account does not have. */
  refuseUnknown(db: Db, storedAction: ActionDefinition, body: Body, surroundings: ActionReferences): Promise<void>
  show(row: StoredAction): Shown
}
