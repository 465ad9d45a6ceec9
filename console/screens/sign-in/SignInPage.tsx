import { Anchor, Button, Stack } from '@mantine/core'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { PublicPageCard } from './PublicPageCard.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signInTexts } from './texts.ts'

/** Returns the path that the user requested: a path of the console, never another address. */
export function parseNextPath(search: string): string {
  const nextPath = new URLSearchParams(search).get('next') ?? ''
  return /^\/console\/[\w/?=&%.,:~+-]*$/.test(nextPath) ? nextPath : '/console/'
}

/** Returns the name of the identity provider from the page: it is known before anybody is signed in. */
function readProviderName(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name=stentor-provider]')?.content || null
}

/** The address of the provider's sign-in, which comes back to where the person wanted to go. */
const buildProviderPath = (): string => `/auth/oidc?${new URLSearchParams({ to: parseNextPath(location.search) })}`

export function SignInPage() {
  const t = useTranslator(signInTexts)
  const identityProvider = readProviderName()
  const searchParameters = new URLSearchParams(location.search)
  const problemCode = searchParameters.get('problem')
  const openNextPath = (): void => location.assign(parseNextPath(location.search))
  if (searchParameters.get('state') === 'second-factor') {
    return (
      <PublicPageCard title={t('second')}>
        <SecondFactorForm methods={['code', 'recovery', 'passkey']} onDone={openNextPath} />
      </PublicPageCard>
    )
  }
  return (
    <PublicPageCard title={t('heading')}>
      <Stack gap="md">
        {problemCode && (
          <ProblemAlert
            error={new Error(t('providerFailed', { provider: identityProvider ?? '', problem: problemCode }))}
          />
        )}
        <SignInForm onDone={openNextPath} />
        {identityProvider && (
          <Button component="a" href={buildProviderPath()} variant="default" size="sm">
            {t('oidc', { name: identityProvider })}
          </Button>
        )}
        <Anchor href="/console/reset" size="sm">
          {t('forgotten')}
        </Anchor>
      </Stack>
    </PublicPageCard>
  )
}
