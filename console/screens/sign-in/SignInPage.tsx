import { Anchor, Button, Stack } from '@mantine/core'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { PublicPageCard } from './PublicPageCard.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signInTexts } from './texts.ts'

/** Where a person wanted to go: a path of the console, never another address. */
export function parseNextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  return /^\/console\/[\w/?=&%.,:~+-]*$/.test(next) ? next : '/console/'
}

/** What the provider is called, from the page: it is known before anybody has signed in. */
function providerName(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name=stentor-provider]')?.content || null
}

/** The address of the provider's sign-in, which comes back to where the person wanted to go. */
const providerPath = (): string => `/auth/oidc?${new URLSearchParams({ to: parseNextPath(location.search) })}`

export function SignInPage() {
  const t = useTranslator(signInTexts)
  const provider = providerName()
  const search = new URLSearchParams(location.search)
  const problem = search.get('problem')
  const done = (): void => location.assign(parseNextPath(location.search))
  if (search.get('state') === 'second-factor') {
    return (
      <PublicPageCard title={t('second')}>
        <SecondFactorForm methods={['code', 'recovery', 'passkey']} onDone={done} />
      </PublicPageCard>
    )
  }
  return (
    <PublicPageCard title={t('heading')}>
      <Stack gap="md">
        {problem && <ProblemAlert error={new Error(t('providerFailed', { provider: provider ?? '', problem }))} />}
        <SignInForm onDone={done} />
        {provider && (
          <Button component="a" href={providerPath()} variant="default" size="sm">
            {t('oidc', { name: provider })}
          </Button>
        )}
        <Anchor href="/console/reset" size="sm">
          {t('forgotten')}
        </Anchor>
      </Stack>
    </PublicPageCard>
  )
}
