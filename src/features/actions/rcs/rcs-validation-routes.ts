import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actionFamilies } from '../../../channels/families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { type AuditSnapshotOptions, createAuditedDb, createAuditSnapshot } from '../../../http/resource/audit.ts'
import { requireDirectSendRight } from '../../../http/resource/live-writes.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { pauseAction, resumeAction } from '../execution/campaign-run.ts'
import { loadAction, lockAction } from '../resource/action-repository.ts'
import { ActionParams, parseFamilyActionRef } from '../resource/ids.ts'
import { unvalidateAction } from '../validation/validation.ts'
import { toRcsActionResponse } from './documents.ts'
import { RcsActionResponse, RcsValidationBody } from './rcs-action-schemas.ts'
import { validateRcsAction } from './validation.ts'

const family = actionFamilies.rcs

type Asked = FastifyRequest<{ Params: { id: string } }>

/** The action that a request names, and a handle that tells how it stands before and after. */
function toldAction(db: Db, request: Asked, shown?: AuditSnapshotOptions['shown']) {
  const ref = parseFamilyActionRef(family, request.account, request.params.id)
  const look = createAuditSnapshot(
    async (tx) => toRcsActionResponse(await loadAction(tx, ref)),
    (tx) => lockAction(tx, ref),
  )
  return { ref, handle: createAuditedDb(request, db, { ...look, shown }) }
}

/** The way of an RCS action from its edition to its sending, and back. */
export function rcsValidationRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  const command = (summary: string) => ({
    tags: ['RCS actions'],
    summary,
    params: ActionParams,
    response: { 204: Type.Null() },
  })
  const config = { right: 'send', audit: { object: family.sourceKind } } as const
  const toldOf = (request: Asked, shown?: AuditSnapshotOptions['shown']) => toldAction(db, request, shown)
  app.post('/channel/rcs/actions/:id/validation', {
    config,
    schema: { ...command('validate an RCS action'), body: nullableSchema(RcsValidationBody) },
    handler: async (request, reply) => {
      requireDirectSendRight(request, 'The validation of an RCS action')
      const { ref, handle } = toldOf(request, { reply, schema: RcsActionResponse })
      await validateRcsAction({ ...context, db: handle }, ref, request.body ?? {})
      return reply.code(204).send(null)
    },
  })
  app.delete('/channel/rcs/actions/:id/validation', {
    config,
    schema: command('take the validation of an RCS action back'),
    handler: async (request, reply) => {
      const { ref, handle } = toldOf(request)
      await unvalidateAction(handle, ref)
      return reply.code(204).send(null)
    },
  })
  app.post('/channel/rcs/actions/:id/pause', {
    config,
    schema: command('pause an RCS campaign'),
    handler: async (request, reply) => {
      const { ref, handle } = toldOf(request)
      await pauseAction(handle, ref)
      return reply.code(204).send(null)
    },
  })
  app.delete('/channel/rcs/actions/:id/pause', {
    config,
    schema: command('let a paused RCS campaign go on'),
    handler: async (request, reply) => {
      const { ref, handle } = toldOf(request)
      await resumeAction(handle, ref, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}
