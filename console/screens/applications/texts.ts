import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const applicationTexts = catalogue(en, () => import('./fr.ts'))
