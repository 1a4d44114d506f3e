import { testReplay } from './replay.test-support.ts';

testReplay('settings');
