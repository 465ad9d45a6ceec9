import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { isRefusal } from '../../api/refusal.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './SetUp.module.css'
import { setUpTexts } from './texts.ts'

/** Sample data of the account; null: there is none. */
async function readSamples() {
  try {
    return await data(api.GET('/samples'))
  } catch (error) {
    if (isRefusal(error) && error.status === 404) return null
    throw error
  }
}

/** The people to write to: a file, or sample data that can be taken away whole. */
export function ContactsStep() {
  const t = useText(setUpTexts)
  const queries = useQueryClient()
  const { routesByPath } = useRouter()
  const samples = useQuery({ queryKey: ['samples'], queryFn: readSamples })
  const change = useAct(async () => {
    await (samples.data ? data(api.DELETE('/samples')) : data(api.POST('/samples')))
    await queries.invalidateQueries()
  })
  return (
    <>
      <p>{t('contactsWhy')}</p>
      {samples.data && <p className={styles['fine']}>{t('samplesThere', { count: samples.data.contacts.length })}</p>}
      <div className={styles['row']}>
        {'/imports' in routesByPath && (
          <Button component={Link} to="/imports">
            {t('importFile')}
          </Button>
        )}
        {samples.data !== undefined && (
          <Button variant="default" loading={change.isBusy} onClick={() => void change.run()}>
            {t(samples.data ? 'samplesUndo' : 'samples')}
          </Button>
        )}
      </div>
      {(change.error ?? samples.error) !== null && <Problem error={change.error ?? samples.error} />}
    </>
  )
}
