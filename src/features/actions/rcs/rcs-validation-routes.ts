import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actionFamilies } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import {
  type AuditSnapshotOptions,
  createAuditedDb,
  createAuditSnapshot,
} from '../../../http/resource/audit-requests.ts'
import { requireDirectSendRight } from '../../../http/resource/live-writes.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { pauseAction, resumeAction } from '../execution/campaign-run.ts'
import { loadAction, lockAction } from '../resource/action-repository.ts'
import { ActionParams, parseFamilyActionRef } from '../resource/ids.ts'
import { unvalidateAction } from '../validation/validation.ts'
import { actionValidationRefusals } from '../validation/validation-schemas.ts'
import { toRcsActionResponse } from './documents.ts'
import { RcsActionResponse, RcsValidationBody } from './rcs-action-schemas.ts'
import { validateRcsAction } from './validation.ts'

const RCS_FAMILY = actionFamilies.rcs

type ActionRequest = FastifyRequest<{ Params: { id: string } }>

/** The action of a request, with a database handle that records the action before and after the change. */
function createAuditedAction(
  db: Db,
  request: ActionRequest,
  conditionSchema?: AuditSnapshotOptions['conditionSchema'],
) {
  const ref = parseFamilyActionRef(RCS_FAMILY, request.account, request.params.id)
  const auditSnapshot = createAuditSnapshot(
    async (tx) => toRcsActionResponse(await loadAction(tx, ref)),
    (tx) => lockAction(tx, ref),
  )
  return { ref, handle: createAuditedDb(request, db, { ...auditSnapshot, conditionSchema }) }
}

const config = { right: 'send', audit: { object: RCS_FAMILY.sourceKind } } as const

const buildCommandSchema = (summary: string) => ({
  tags: ['RCS actions'],
  summary,
  params: ActionParams,
  response: { 204: Type.Null() },
})

/** The way of an RCS action from its edition to its sending, and back. */
export function rcsValidationRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  app.post('/channel/rcs/actions/:id/validation', {
    config,
    schema: {
      ...buildCommandSchema('Validate an RCS action'),
      description:
        'Compiles the content and sets the state to 50: messages can then be sent on demand, and a campaign starts by its scheduler. Refused with 409 in any state but 20 or if something is missing, with one entry in `errors` per reason. There is no test phase: use proofs instead.',
      refusals: { ...actionValidationRefusals, 403: 'approval-required own-address', 412: 'precondition-failed' },
      body: nullableSchema(RcsValidationBody),
    },
    handler: async (request, reply) => {
      requireDirectSendRight(request, 'The validation of an RCS action')
      const { ref, handle: auditedDb } = createAuditedAction(db, request, RcsActionResponse)
      await validateRcsAction({ ...context, db: auditedDb }, ref, request.body ?? {})
      return reply.code(204).send(null)
    },
  })
  app.delete('/channel/rcs/actions/:id/validation', {
    config,
    schema: {
      ...buildCommandSchema('Cancel the validation of an RCS action'),
      description:
        'Takes back the validation: the state becomes 20, and the start of a campaign is cancelled. Messages accepted before are still sent. Refused with 409 in every state but 50.',
      refusals: actionValidationRefusals,
    },
    handler: async (request, reply) => {
      const { ref, handle: auditedDb } = createAuditedAction(db, request)
      await unvalidateAction(auditedDb, ref)
      return reply.code(204).send(null)
    },
  })
  registerPauseRoutes(app, context)
}

function registerPauseRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.post('/channel/rcs/actions/:id/pause', {
    config,
    schema: {
      ...buildCommandSchema('Pause an RCS campaign'),
      description:
        'Stops sending within a second; the end date still applies. Refused with 409 if the campaign is not being sent, or is already paused.',
      refusals: actionValidationRefusals,
    },
    handler: async (request, reply) => {
      const { ref, handle: auditedDb } = createAuditedAction(db, request)
      await pauseAction(auditedDb, ref)
      return reply.code(204).send(null)
    },
  })
  app.delete('/channel/rcs/actions/:id/pause', {
    config,
    schema: {
      ...buildCommandSchema('Resume a paused RCS campaign'),
      description: 'Continues sending with the messages that are left. Refused with 409 if the campaign is not paused.',
      refusals: actionValidationRefusals,
    },
    handler: async (request, reply) => {
      const { ref, handle: auditedDb } = createAuditedAction(db, request)
      await resumeAction(auditedDb, ref, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}
