import { type Static, Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ReportedFlaw } from '../../rendering/flaw-schemas.ts'

/** The last test or validation of an action. */
export const LastActionValidation = Type.Object({
  phase: Type.Enum(['test', 'production'], {
    description: '`test`: proofs to testers. `production`: validation for production.',
  }),
  result: Type.Enum(['running', 'passed', 'failed', 'repair', 'stopped'], {
    description:
      '`running`: in progress. `passed`: successful. `failed`: no proof was sent, or the validation failed. `repair`: the content must be corrected. `stopped`: the action was changed or deleted meanwhile.',
  }),
  startedAt: Type.String({ format: 'date-time', description: 'Time of the start, in UTC.' }),
  endedAt: nullableSchema(
    Type.String({ format: 'date-time', description: 'Time of the end, in UTC. Null: in progress.' }),
  ),
  recipients: Type.Integer({ description: 'Number of proofs.' }),
  sent: Type.Integer({ description: 'Number of proofs accepted by a gateway.' }),
  refused: Type.Integer({ description: 'Number of proofs refused.' }),
  comments: nullableSchema(Type.String({ description: 'Comments given with the test or validation.' })),
  errors: Type.Array(ReportedFlaw, { description: 'Errors that must be repaired; at most 100.' }),
  findings: Type.Array(ReportedFlaw, { description: 'Findings: possible problems that block nothing; at most 100.' }),
})
export type LastActionValidation = Static<typeof LastActionValidation>

const MomentSchema = Type.Object({
  at: nullableSchema(Type.String({ format: 'date-time', description: 'Time, in UTC. Null: not yet.' })),
})

/** The counters of a campaign that is or was sent. */
export const CampaignRunMonitor = Type.Object({
  recipients: Type.Integer({
    description: 'Number of messages of the campaign: the sum of `sent`, `cancelled`, `refused`, `held` and `pending`.',
  }),
  sent: Type.Integer({ description: 'Number of messages accepted by a gateway.' }),
  cancelled: Type.Integer({
    description:
      'Number of messages cancelled before they were sent, such as by the suppression list or missing consent.',
  }),
  refused: Type.Integer({ description: 'Number of messages permanently refused by a gateway.' }),
  held: Type.Integer({ description: 'Number of messages in doubt: the hand-over was cut off without an answer.' }),
  pending: Type.Integer({ description: 'Number of messages that are still to be sent.' }),
  postponed: Type.Integer({ description: 'Number of messages postponed by marketing pressure; part of `pending`.' }),
  deferred: Type.Integer({ description: 'Number of messages deferred by the receiving side; part of `pending`.' }),
  started: { ...MomentSchema, description: 'Start of sending.' },
  lastSent: { ...MomentSchema, description: 'Last message sent.' },
})
export type CampaignRunMonitor = Static<typeof CampaignRunMonitor>
