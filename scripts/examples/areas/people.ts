import { Secret, TOTP } from 'otpauth'
import { createPasswordResetToken, createSetUpToken } from '../../../src/features/people/members/links.ts'
import { createAuthenticator } from '../../../test/fakes/web/authenticator.ts'
import { PUBLIC_URL } from '../service.ts'
import { openStoryBrowser, type Story, type StoryBrowser } from '../story.ts'

/** The people of the shop. */
export interface ShopTeam {
  /** The browser of Nora, who owns the shop and operates the installation. */
  owner: StoryBrowser
  /** The browser of Leo, who writes campaigns. */
  colleague: StoryBrowser
}

const OWNER = { email: 'nora@harbourtea.example', password: 'kettle harbour lantern seven' }
const COLLEAGUE = { email: 'leo@harbourtea.example', password: 'oolong window barge copper' }

/** The first user, with an authenticator app and a passkey. */
async function setUpOwner({ call, service, disguise }: Story): Promise<StoryBrowser> {
  const browser = openStoryBrowser()
  const token = await createSetUpToken(service.context.db, Date.now())
  await call('setUpFirstPerson', { body: { token, ...OWNER, name: 'Nora Winter' }, browser })
  await call('signOut', { browser })
  await call('signIn', { body: OWNER, browser })
  await call('getMe', { browser })
  await call('confirmPassword', { body: { password: OWNER.password }, browser })
  await call('updateMe', { body: { name: 'Nora Winter', locale: 'en' }, browser })
  const proposal = await call('addTotp', { browser, shown: false })
  const totp = new TOTP({ secret: Secret.fromBase32(proposal.secret) })
  disguise(proposal.secret, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  const code = totp.generate()
  disguise(code, '492039')
  const { recovery } = await call('addTotp', { body: { code }, browser })
  const renewed = await call('renewRecoveryCodes', { browser })
  for (const [index, one] of [...recovery, ...renewed.recovery].entries()) disguise(one, `example-code-${index + 1}`)
  await call('signOut', { browser, shown: false })
  await call('signIn', { body: OWNER, browser, shown: false })
  await call('giveSecondFactor', { body: { recovery: renewed.recovery[0] }, browser })
  return browser
}

async function usePasskeys({ call }: Story, browser: StoryBrowser): Promise<void> {
  await call('confirmPassword', { body: { password: OWNER.password }, browser, shown: false })
  const authenticator = createAuthenticator(PUBLIC_URL)
  const { options } = await call('addPasskey', { browser, shown: false })
  const passkey = authenticator.create(options)
  await call('addPasskey', { body: { name: 'Nora’s laptop', passkey }, browser })
  const [listed] = await call('listPasskeys', { browser })
  await call('signOut', { browser, shown: false })
  const request = await call('createPasskeyOptions', { browser })
  await call('signInByPasskey', { body: { passkey: authenticator.get(request) }, browser })
  await call('confirmPassword', { body: { password: OWNER.password }, browser, shown: false })
  await call('deletePasskey', { path: { id: listed.id }, browser })
  await call('removeTotp', { browser })
  await call('signIn', { body: OWNER, browser: openStoryBrowser('198.51.100.23'), shown: false })
  const sessions = await call('listSessions', { browser })
  const other = sessions.find(({ current }: { current: boolean }) => !current)
  await call('endSession', { path: { id: other.id }, browser })
}

/** The token of a link, which is after its `#token=`. */
const tokenOf = (link: string): string => link.slice(link.lastIndexOf('=') + 1)

/** Leo, who is invited, forgets a password and finds it again. */
async function inviteColleague({ call, service, settle }: Story, owner: StoryBrowser): Promise<StoryBrowser> {
  const invite = async (email: string, role: string, shown = true): Promise<string> =>
    tokenOf((await call('createInvitation', { body: { email, role }, browser: owner, shown })).link)
  const browser = openStoryBrowser('203.0.113.46')
  const token = await invite(COLLEAGUE.email, 'sender')
  await call('showInvitation', { body: { token }, browser })
  await call('getInvitation', { path: { token }, browser })
  await call('acceptInvitationByLink', { body: { token, name: 'Leo Marsh', password: COLLEAGUE.password }, browser })
  const other = openStoryBrowser('203.0.113.47')
  const body = { name: 'Ruth Fields', password: 'harvest basket marigold nine' }
  await call('acceptInvitation', {
    path: { token: await invite('ruth@harbourtea.example', 'viewer') },
    body,
    browser: other,
  })
  const { person } = await call('getMe', { browser, shown: false })
  await call('requestPasswordReset', { body: { email: COLLEAGUE.email }, browser: openStoryBrowser() })
  await settle()
  const reset = { mailed: true, now: Date.now() }
  const { db } = service.context
  const first = await createPasswordResetToken(db, person.id, reset)
  await call('resetPasswordByLink', { body: { token: first, password: 'darjeeling umbrella copper sail' }, browser })
  const second = await createPasswordResetToken(db, person.id, reset)
  await call('resetPassword', { path: { token: second }, body: { password: 'oolong anchor ribbon tide' }, browser })
  const signIn = { email: COLLEAGUE.email, password: 'oolong anchor ribbon tide' }
  await call('signIn', { body: signIn, browser, shown: false })
  await call('confirmPassword', { body: { password: signIn.password }, browser, shown: false })
  await call('changePassword', { body: { old: signIn.password, new: COLLEAGUE.password }, browser })
  return browser
}

async function manageMembers({ call }: Story, browser: StoryBrowser): Promise<void> {
  await call('createInvitation', { body: { email: 'sam@harbourtea.example', role: 'author' }, browser })
  const [invitation] = await call('listInvitations', { browser })
  await call('withdrawInvitation', { path: { id: invitation.id }, browser })
  const people = await call('listPeople', { browser })
  const ruth = people.find(({ name }: { name: string }) => name === 'Ruth Fields')
  await call('updatePerson', { path: { id: ruth.id }, body: { role: 'author', active: true }, browser })
  await call('removePerson', { path: { id: ruth.id }, browser })
  await call('updatePeopleSettings', {
    body: { approval: true, requireSecondFactor: false, maskPersonalData: true },
    browser,
  })
  await call('getPeopleSettings', { browser })
}

async function manageKeysAndAccounts({ call, calendar }: Story, browser: StoryBrowser): Promise<void> {
  const expires = calendar.timeAhead('2027-09-07T00:00:00Z')
  const apiKey = await call('createKey', {
    body: { name: 'Till in the shop', rights: ['read', 'write'], expires },
    browser,
  })
  await call('listKeys', { browser })
  await call('revokeKey', { path: { id: apiKey.id }, browser })
  await call('createAccount', { body: { code: 'TEAH002', name: 'Harbour Tea Wholesale' }, browser })
  await call('updateAccount', { path: { code: 'TEAH002' }, body: { name: 'Harbour Tea for Cafés' }, browser })
  await call('listAccounts', { browser })
}

export async function tellOfPeople(story: Story): Promise<ShopTeam> {
  const owner = await setUpOwner(story)
  await usePasskeys(story, owner)
  const colleague = await inviteColleague(story, owner)
  await manageMembers(story, owner)
  await manageKeysAndAccounts(story, owner)
  return { owner, colleague }
}
