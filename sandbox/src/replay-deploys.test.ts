import { testReplay } from '../testing/replay.ts';

testReplay('deploys');
