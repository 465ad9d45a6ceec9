import type { ChannelActionType } from '../../../channels/facts.ts'
import type { ActionFamily } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import type { AccountSendingSettings } from '../../accounts/sending-settings-schemas.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { CompiledDesign } from '../content/design-content.ts'
import type { StoredAction } from './action-repository.ts'
import type { ActionBody } from './action-schemas.ts'

/** What an account has that an action may name. */
export interface ActionReferences {
  account: AccountId
  fields: readonly ContactFieldDefinition[]
  sending: AccountSendingSettings
  /** Of a body that brings a design: the HTML that was made of it. */
  made?: CompiledDesign | undefined
}

/** What a write makes of an action. */
export type ActionDefinition = Pick<
  StoredAction,
  'type' | 'name' | 'description' | 'folder' | 'settings' | 'content' | 'scheduler'
>

/** Of a body, what every family reads in the same way. */
export type CommonActionBody = Pick<ActionBody, 'name' | 'description' | 'informations' | 'scheduler'> & {
  type?: ChannelActionType
  settings?: { field?: number | null; mp?: { topic?: string | null }; experiment?: unknown }
}

/** How the actions of a family are written and shown: beside its states and ids what differs from the others. */
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
    stored: ActionDefinition,
    body: Body,
    surroundings: ActionReferences,
    faults: ProblemFault[],
  ): Pick<ActionDefinition, 'settings' | 'content'>
  /** Throws notFound for the first thing that the settings name anew and the account does not have. */
  refuseUnknown(db: Db, stored: ActionDefinition, body: Body, surroundings: ActionReferences): Promise<void>
  show(row: StoredAction): Shown
}
