import { Button } from '@mantine/core'
import { data, door } from '../api/client.ts'
import type { SignedIn } from '../api/me.ts'
import { readKept } from '../layout/preferences.ts'
import { Door } from '../screens/sign-in/Door.tsx'
import { signInTexts } from '../screens/sign-in/texts.ts'
import { useText } from '../text/catalogue.ts'

/** The account that a person was in last, if it is still theirs; else the first. */
export function lastAccount({ accounts }: SignedIn): string | undefined {
  const last = readKept('account', '')
  return (accounts.find(({ code }) => code === last) ?? accounts[0])?.code
}

/** For a person who belongs to no account. */
export function NoAccount({ me: { person } }: { me: SignedIn }) {
  const t = useText(signInTexts)
  const leave = async (): Promise<void> => {
    await data(door.POST('/auth/sign-out'))
    location.assign('/console/sign-in')
  }
  return (
    <Door title={t('noAccess')} lead={t('noAccessWhy', { email: person.email })}>
      <Button variant="default" size="sm" onClick={() => void leave()}>
        {t('signOut')}
      </Button>
    </Door>
  )
}
