import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { tell, told } from '../../../http/resource/audit.ts'
import { sendJob, wantsAsync } from '../../../http/resource/prefer.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { readIntId } from '../../../lib/ids.ts'
import { Job } from '../../jobs/job-schemas.ts'
import { normalizeSegment, startNormalization } from './normalization.ts'
import { NormalizationBody, NormalizationCounts } from './normalization-schemas.ts'

/** Telephone numbers of a segment, brought to their international form. */
export function normalizationRoutes(app: App, context: Context): void {
  const { db } = context
  app.post('/segments/:id/normalization', {
    config: { right: 'write', audit: { object: 'segment' } },
    schema: {
      tags: ['segments'],
      summary: 'bring the telephone numbers of the targets of a segment to E.164',
      description: 'Of more than 10,000 targets, and with Prefer: respond-async, the answer is 202 with a job.',
      params: Type.Object({ id: Type.String() }),
      body: NormalizationBody,
      response: { 200: NormalizationCounts, 202: Job },
    },
    handler: async (request, reply) => {
      const { account, body, params } = request
      const id = readIntId(params.id)
      if (id === undefined) throw notFound('segment', params.id)
      const order = { segment: id, body: body ?? {} }
      const said = { fields: order.body.fields ?? null }
      const handle = told(request, db, { said })
      const counts = wantsAsync(request) ? undefined : await normalizeSegment(handle, account, order, context)
      if (counts && !request.isTold) await tell(request, db, { said })
      return counts ?? sendJob(request, reply, await startNormalization(handle, account, order, context))
    },
  })
}
