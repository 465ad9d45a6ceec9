import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const workflowTexts = catalogue(en, () => import('./fr.ts'))
