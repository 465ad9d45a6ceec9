import { Anchor, Stack } from '@mantine/core'
import { Problem } from '../components/layout/Problem.tsx'
import { partTexts } from '../components/texts.ts'
import { frameTexts } from '../layout/texts.ts'
import { Door } from '../screens/sign-in/Door.tsx'
import { useText } from '../text/catalogue.ts'

/** What stands in place of a page that cannot begin. */
export function Stopped({ error }: { error: unknown }) {
  const t = useText(partTexts)
  const frame = useText(frameTexts)
  return (
    <Door title={t('loadFailed')}>
      <Stack gap="sm">
        <Problem error={error} onRetry={() => location.reload()} />
        <Anchor href="/console/" size="sm">
          {frame('home')}
        </Anchor>
      </Stack>
    </Door>
  )
}
