import { Button } from '@mantine/core'
import { signInClient } from '../api/client.ts'
import type { SignedInUser } from '../api/me.ts'
import { readLocalPreference } from '../layout/preferences.ts'
import { PublicPageCard } from '../screens/sign-in/PublicPageCard.tsx'
import { signInTexts } from '../screens/sign-in/texts.ts'
import { useTranslator } from '../text/catalogue.ts'

/** The account that a person was in last, if it is still theirs; else the first. */
export function findLastAccount({ accounts }: SignedInUser): string | undefined {
  const lastAccount = readLocalPreference('account', '')
  return (accounts.find(({ code }) => code === lastAccount) ?? accounts[0])?.code
}

/** For a person who belongs to no account. */
export function NoAccount({ me: { person } }: { me: SignedInUser }) {
  const t = useTranslator(signInTexts)
  const signOut = async (): Promise<void> => {
    await signInClient.signOut()
    location.assign('/console/sign-in')
  }
  return (
    <PublicPageCard title={t('noAccess')} lead={t('noAccessWhy', { email: person.email })}>
      <Button variant="default" size="sm" onClick={() => void signOut()}>
        {t('signOut')}
      </Button>
    </PublicPageCard>
  )
}
