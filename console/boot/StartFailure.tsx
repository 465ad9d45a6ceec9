import { Anchor, Stack } from '@mantine/core'
import { ProblemAlert } from '../components/layout/ProblemAlert.tsx'
import { componentTexts } from '../components/texts.ts'
import { layoutTexts } from '../layout/texts.ts'
import { PublicPageCard } from '../screens/sign-in/PublicPageCard.tsx'
import { useTranslator } from '../text/catalogue.ts'

/** What stands in place of a page that cannot begin. */
export function StartFailure({ error }: { error: unknown }) {
  const t = useTranslator(componentTexts)
  const frame = useTranslator(layoutTexts)
  return (
    <PublicPageCard title={t('loadFailed')}>
      <Stack gap="sm">
        <ProblemAlert error={error} onRetry={() => location.reload()} />
        <Anchor href="/console/" size="sm">
          {frame('home')}
        </Anchor>
      </Stack>
    </PublicPageCard>
  )
}
