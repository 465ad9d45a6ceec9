import { Page } from '../../parts/Page.tsx'
import { useText } from '../../text/catalogue.ts'
import { homeTexts } from './texts.ts'

/** What runs, what waits, what failed. */
export function Home() {
  const t = useText(homeTexts)
  return <Page title={t('title')} />
}
