import { Anchor, Stack } from '@mantine/core'
import { ProblemAlert } from '../components/layout/ProblemAlert.tsx'
import { componentTexts } from '../components/texts.ts'
import { layoutTexts } from '../layout/texts.ts'
import { PublicPageCard } from '../screens/sign-in/PublicPageCard.tsx'
import { useTranslator } from '../text/catalogue.ts'

/** Replaces a page that cannot start. */
export function StartFailure({ error }: { error: unknown }) {
  const t = useTranslator(componentTexts)
  const layoutT = useTranslator(layoutTexts)
  return (
    <PublicPageCard title={t('loadFailed')}>
      <Stack gap="sm">
        <ProblemAlert error={error} onRetry={() => location.reload()} />
        <Anchor href="/console/" size="sm">
          {layoutT('home')}
        </Anchor>
      </Stack>
    </PublicPageCard>
  )
}
