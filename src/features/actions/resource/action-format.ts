import type { ActionType } from '../../../channels/facts.ts'
import type { Family } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Fault } from '../../../lib/errors/problem.ts'
import type { SendingSettings } from '../../accounts/sending-settings-schemas.ts'
import type { Field } from '../../contacts/fields/field-schemas.ts'
import type { MadeDesign } from '../content/design-content.ts'
import type { StoredAction } from './action-repository.ts'
import type { ActionBody } from './action-schemas.ts'

/** What an account has that an action may name. */
export interface Surroundings {
  account: AccountId
  fields: readonly Field[]
  sending: SendingSettings
  /** Of a body that brings a design: the HTML that was made of it. */
  made?: MadeDesign | undefined
}

/** What a write makes of an action. */
export type ActionContent = Pick<
  StoredAction,
  'type' | 'name' | 'description' | 'folder' | 'settings' | 'content' | 'scheduler'
>

/** Of a body, what every family reads in the same way. */
export type CommonBody = Pick<ActionBody, 'name' | 'description' | 'informations' | 'scheduler'> & {
  type?: ActionType
  settings?: { field?: number | null; mp?: { topic?: string | null }; experiment?: unknown }
}

/** How the actions of a family are written and shown: beside its states and ids what differs from the others. */
export interface Documents<Body extends CommonBody, Shown> {
  family: Family
  /** A body without what clients send for what is unset. */
  tidied(body: Body): Body
  /** Settings and content of a new action. */
  empty(
    type: ActionType,
    body: Body,
    surroundings: Surroundings & { field: number },
  ): Pick<ActionContent, 'settings' | 'content'>
  /** Settings and content after a write. Adds what is wrong to `faults`. */
  read(
    stored: ActionContent,
    body: Body,
    surroundings: Surroundings,
    faults: Fault[],
  ): Pick<ActionContent, 'settings' | 'content'>
  /** Throws notFound for the first thing that the settings name anew and the account does not have. */
  refuseUnknown(db: Db, stored: ActionContent, body: Body, surroundings: Surroundings): Promise<void>
  show(row: StoredAction): Shown
}
