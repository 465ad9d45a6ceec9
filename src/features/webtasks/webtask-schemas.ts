import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32Limits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { ScriptingSchema } from '../workflows/workflow-schemas.ts'
import { publicWebtaskMethods } from './settings.ts'

const Instant = Type.String({ format: 'date-time' })
const open = { additionalProperties: true }

const Settings = Type.Object({
  cpuMs: Type.Integer({ minimum: 10, maximum: 1000, description: 'what a run may compute, in milliseconds' }),
  wallMs: Type.Integer({
    minimum: 100,
    maximum: 30_000,
    description: 'the total time that a run may wait for what it calls, in milliseconds',
  }),
  logs: Type.Boolean({ description: 'lines of the log are answered and kept' }),
  public: Type.Object(
    {
      enabled: Type.Boolean(),
      methods: Type.Array(Type.Enum([...publicWebtaskMethods]), { description: 'methods that are let in' }),
      redirects: Type.Array(Type.String(), { description: 'hosts, as in scripting.environment.http.allow' }),
    },
    { description: 'whether GET and POST /w/{token} run it, without a key' },
  ),
})

const described = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: nullableSchema(Type.String({ maxLength: 4000 })),
}
const value = Type.String({ description: 'an ES module whose default export is a function' })

export const WebtaskDocument = Type.Object({
  id: Type.Integer(),
  ...described,
  creationDate: Instant,
  updateDate: Instant,
  scripting: ScriptingSchema,
  settings: Settings,
  value,
})
export type WebtaskDocument = Static<typeof WebtaskDocument>

/** A write: what is absent stays; members that the service sets may come back and are passed over. */
export const WebtaskBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(described.name),
  description: Type.Optional(described.description),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  scripting: Type.Optional(nullableSchema(Type.Object({}, open))),
  settings: Type.Optional(nullableSchema(Type.Object({}, open))),
  value: Type.Optional(value),
})
export type WebtaskBody = Static<typeof WebtaskBody>

/** What is checked: absent members are those of the stored webtask, or those that a new one begins with. */
export const WebtaskCheckBody = Type.Object({
  id: Type.Optional(Type.Integer({ ...int32Limits, description: 'of the stored webtask that is written on' })),
  scripting: Type.Optional(nullableSchema(Type.Object({}, open))),
  value: Type.Optional(value),
})
export type WebtaskCheckBody = Static<typeof WebtaskCheckBody>

export const WebtaskQuery = Type.Object({ name: Type.Optional(Type.String()) })
export const WebtaskParams = Type.Object({ id: Type.String() })

export const WebtaskScriptBody = Type.Object({ value })
export type WebtaskScriptBody = Static<typeof WebtaskScriptBody>
