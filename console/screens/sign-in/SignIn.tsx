import { Anchor, Button, Stack } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import { Door } from './Door.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signInTexts } from './texts.ts'

/** Where a person wanted to go: a path of the console, never another address. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  return /^\/console\/[\w/?=&%.,:~+-]*$/.test(next) ? next : '/console/'
}

/** What the provider is called, from the page: it is known before anybody has signed in. */
function providerName(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name=stentor-oidc]')?.content || null
}

export function SignIn() {
  const t = useText(signInTexts)
  const provider = providerName()
  return (
    <Door title={t('heading')}>
      <Stack gap="md">
        <SignInForm onDone={() => location.assign(nextPath(location.search))} />
        {provider && (
          <Button component="a" href="/auth/oidc" variant="default" size="sm">
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
