import { Anchor, Button, Stack } from '@mantine/core'
import { Problem } from '../../components/layout/Problem.tsx'
import { useText } from '../../text/catalogue.ts'
import { Door } from './Door.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signInTexts } from './texts.ts'

/** Where a person wanted to go: a path of the console, never another address. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  return /^\/console\/[\w/?=&%.,:~+-]*$/.test(next) ? next : '/console/'
}

/** What the provider is called, from the page: it is known before anybody has signed in. */
function providerName(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name=stentor-provider]')?.content || null
}

/** The address of the provider's sign-in, which comes back to where the person wanted to go. */
const providerPath = (): string => `/auth/oidc?${new URLSearchParams({ to: nextPath(location.search) })}`

export function SignIn() {
  const t = useText(signInTexts)
  const provider = providerName()
  const search = new URLSearchParams(location.search)
  const problem = search.get('problem')
  const done = (): void => location.assign(nextPath(location.search))
  if (search.get('state') === 'second-factor') {
    return (
      <Door title={t('second')}>
        <SecondFactor methods={['code', 'recovery', 'passkey']} onDone={done} />
      </Door>
    )
  }
  return (
    <Door title={t('heading')}>
      <Stack gap="md">
        {problem && <Problem error={new Error(t('providerFailed', { provider: provider ?? '', problem }))} />}
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
    </Door>
  )
}
