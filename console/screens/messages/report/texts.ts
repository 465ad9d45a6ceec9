import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const reportTexts = catalogue(en, () => import('./fr.ts'))
