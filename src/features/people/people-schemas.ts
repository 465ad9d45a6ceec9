import { type Static, Type } from 'typebox'
import { personRoles, rights } from '../../lib/account.ts'

export const locales = ['en', 'fr'] as const

/** Languages of the console and of mails to people. */
export type Locale = (typeof locales)[number]

const oneOf = <const T extends readonly string[]>(words: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: words, ...(description && { description }) })

const text = (description: string) => Type.String({ description })
const date = (description: string) => Type.String({ format: 'date-time', description })
const orNull = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])

export const LocaleName = oneOf(locales, 'of the console and of mails')
export const RoleName = oneOf(personRoles)
export const Rights = Type.Array(oneOf(rights))
export const PersonName = Type.String({ minLength: 1, maxLength: 200 })
const Email = Type.String({ maxLength: 254 })
/** Its length is judged in characters, by the rules of passwords. */
export const Password = Type.String({ maxLength: 1000, description: '12 to 200 characters' })

export const Membership = Type.Object({ account: text('code, such as ACME001'), role: RoleName })

export const Person = Type.Object({
  id: Type.String({ format: 'uuid' }),
  email: text('unique in the installation'),
  name: Type.String(),
  locale: LocaleName,
  active: Type.Boolean(),
  secondFactor: oneOf(['none', 'totp', 'passkey'], 'what confirms sign-in'),
  operator: Type.Boolean({ description: 'may do everything in every account' }),
  createdAt: date('when the person was made'),
  lastSignInAt: orNull(date('null: never')),
  memberships: Type.Array(Membership, { description: 'to admins that of their account, to operators and oneself all' }),
})
export type Person = Static<typeof Person>

export const SetUp = Type.Object({ token: Type.String(), email: Email, name: PersonName, password: Password })

export const SignIn = Type.Object({ email: Email, password: Password })

/** What an authenticator answers (WebAuthn, 5.1); read by the library. */
export const PasskeyAnswer = Type.Object(
  {
    id: Type.String({ maxLength: 2000 }),
    rawId: Type.String({ maxLength: 2000, description: 'the id as base64url' }),
    type: Type.Literal('public-key'),
    response: Type.Record(Type.String(), Type.Unknown(), { description: 'what the authenticator signed' }),
    clientExtensionResults: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'results of extensions, by name' }),
    ),
    authenticatorAttachment: Type.Optional(
      Type.String({ description: 'platform: of the device; cross-platform: any other' }),
    ),
  },
  { description: 'the JSON of a PublicKeyCredential' },
)
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

/** Options for `navigator.credentials`, as JSON (WebAuthn, 5.1.10). */
export const PasskeyOptions = Type.Record(Type.String(), Type.Unknown(), {
  description: 'options of navigator.credentials as JSON; good for 5 minutes, and once',
})

export const SecondFactor = Type.Object({
  code: Type.Optional(Type.String({ description: 'six digits', maxLength: 20 })),
  recovery: Type.Optional(Type.String({ description: 'a recovery code', maxLength: 50 })),
  passkey: Type.Optional(PasskeyAnswer),
})
export type SecondFactor = Static<typeof SecondFactor>

export const PasskeySignIn = Type.Object({ passkey: PasskeyAnswer })

export const SignInState = Type.Object({
  state: oneOf(['done', 'second-factor']),
  methods: Type.Optional(Type.Array(oneOf(['code', 'recovery', 'passkey']), { description: 'of a second factor' })),
})
export type SignInState = Static<typeof SignInState>

export const ResetRequest = Type.Object({ email: Email })
const LinkToken = Type.String({ maxLength: 200, description: 'of the link, behind #token=' })
export const NewPassword = Type.Object({ password: Password })
export const NewPasswordByLink = Type.Object({ token: LinkToken, password: Password })
export const PasswordChange = Type.Object({ old: Password, new: Password })

export type InvitationShown = Static<typeof InvitationShown>
export const InvitationShown = Type.Object({
  email: Type.String(),
  account: Type.Object({ code: Type.String(), name: Type.String() }),
  role: RoleName,
  expiresAt: date('when the link ends'),
  known: Type.Boolean({ description: 'there is a person with this email: their own password is asked for' }),
})
export const Acceptance = Type.Object({
  name: Type.Optional(Type.Union([PersonName, Type.Null()], { description: 'of a new person' })),
  password: Type.Optional(
    Type.Union([Password, Type.Null()], {
      description: 'a new one, or that of a known person; needless where that one is signed in',
    }),
  ),
})
export type Acceptance = Static<typeof Acceptance>
export const InvitationLink = Type.Object({ token: LinkToken })
export const AcceptanceByLink = Type.Object({ token: LinkToken, ...Acceptance.properties })

export const SessionShown = Type.Object({
  id: Type.String({ format: 'uuid' }),
  current: Type.Boolean({ description: 'whether it is that of this request' }),
  browser: text('as it names itself'),
  address: text('where it signed in from'),
  createdAt: date('sign-in'),
  lastUsedAt: date('to the minute'),
})
export type SessionShown = Static<typeof SessionShown>

export const Confirmation = Type.Object({
  password: Type.Optional(Password),
  passkey: Type.Optional(PasskeyAnswer),
})
export type Confirmation = Static<typeof Confirmation>

export const Profile = Type.Object({ name: Type.Optional(PersonName), locale: Type.Optional(LocaleName) })

export const TotpRequest = Type.Object({ code: Type.Optional(Type.String({ maxLength: 20 })) })
export const TotpAnswer = Type.Object({
  secret: Type.Optional(text('base32; shown until a code of it was right')),
  uri: Type.Optional(text('otpauth address for a QR code')),
  recovery: Type.Optional(Type.Array(Type.String(), { description: 'recovery codes, shown this once' })),
})
export const RecoveryCodes = Type.Object({ recovery: Type.Array(Type.String(), { description: 'shown this once' }) })

export const PasskeyRequest = Type.Object({
  name: Type.Optional(PersonName),
  passkey: Type.Optional(PasskeyAnswer),
})
export const PasskeyShown = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  createdAt: date('when it was added'),
  lastUsedAt: orNull(date('null: never')),
})
export type PasskeyShown = Static<typeof PasskeyShown>
export const PasskeyAdded = Type.Object({
  options: Type.Optional(PasskeyOptions),
  passkey: Type.Optional(PasskeyShown),
})

export const NewInvitation = Type.Object({ email: Email, role: RoleName })
export type NewInvitation = Static<typeof NewInvitation>
export const Invitation = Type.Object({
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  role: RoleName,
  createdAt: date('when it was made'),
  expiresAt: date('7 days later'),
})
export type Invitation = Static<typeof Invitation>
export const InvitationMade = Type.Object({
  ...Invitation.properties,
  link: Type.Optional(text('where no mail could be sent: to be handed over, shown this once')),
})
export type InvitationMade = Static<typeof InvitationMade>

export const MemberChange = Type.Object({ role: Type.Optional(RoleName), active: Type.Optional(Type.Boolean()) })
export type MemberChange = Static<typeof MemberChange>

const KeyMembers = {
  id: Type.Integer(),
  name: Type.String(),
  rights: Rights,
  createdAt: date('when it was made'),
  expiresAt: orNull(date('null: never')),
  lastUsedAt: orNull(date('to the minute; null: never')),
}
export const Key = Type.Object(KeyMembers)
export type Key = Static<typeof Key>
export const NewKey = Type.Object({
  name: PersonName,
  rights: Type.Array(oneOf(rights), { minItems: 1, uniqueItems: true }),
  expires: Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      description: 'a date; null or absent: never',
    }),
  ),
})
export type NewKey = Static<typeof NewKey>
export const KeyMade = Type.Object({ ...KeyMembers, key: text('shown this once') })

export const Account = Type.Object({
  code: text('such as ACME001'),
  name: Type.String(),
  createdAt: date('when it was made'),
})
export type Account = Static<typeof Account>
export const NewAccount = Type.Object({
  code: Type.String({ pattern: '^[A-Z0-9]{4}[A-Z0-9]{3}$', description: 'agency and customer, such as ACME001' }),
  name: PersonName,
})
export const AccountChange = Type.Object({ name: Type.Optional(PersonName) })

const AccountOfPerson = Type.Object({
  code: Type.String(),
  name: Type.String(),
  role: Type.Union([RoleName, Type.Null()], { description: 'null: of a key, or of an operator who is no member' }),
})

export const Me = Type.Object({
  person: Type.Optional(Person),
  key: Type.Optional(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'the API key that asks; absent: it is a person' },
    ),
  ),
  account: Type.Union([Type.Object({ code: Type.String(), name: Type.String() }), Type.Null()]),
  rights: Rights,
  masked: Type.Boolean({ description: 'values of contacts are shown masked' }),
  approval: Type.Boolean({ description: 'the account asks for approvals' }),
  secondFactorRequired: Type.Boolean({ description: 'the account asks for a second factor that this session has not' }),
  confirmedUntil: orNull(date('until when one’s own settings can be changed; null: confirm first')),
  accounts: Type.Array(AccountOfPerson, { description: 'where the person or key may do something' }),
})
export type Me = Static<typeof Me>
