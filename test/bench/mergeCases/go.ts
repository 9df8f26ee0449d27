import { all, insertAfter, insertBefore, type MergeCase, remove, replace } from './mergeCase';

const text = `package queue

import (
	"context"
	"errors"
	"sync"
	"time"
)

var ErrClosed = errors.New("queue: closed")

type Job struct {
	ID       string
	Payload  []byte
	Attempts int
}

type Handler func(ctx context.Context, job Job) error

type Queue struct {
	mu      sync.Mutex
	jobs    []Job
	closed  bool
	handler Handler
	delay   time.Duration
}

func New(handler Handler, delay time.Duration) *Queue {
	return &Queue{handler: handler, delay: delay}
}

func (q *Queue) Push(job Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.jobs = append(q.jobs, job)
	return nil
}

func (q *Queue) pop() (Job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return Job{}, false
	}
	job := q.jobs[0]
	q.jobs = q.jobs[1:]
	return job, true
}

func (q *Queue) Run(ctx context.Context) error {
	for {
		job, ok := q.pop()
		if !ok {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(q.delay):
				continue
			}
		}
		if err := q.handler(ctx, job); err != nil {
			job.Attempts++
			if err := q.Push(job); err != nil {
				return err
			}
		}
	}
}

func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}
`;

export const go: MergeCase = {
  path: 'queue/queue.go',
  text,
  edits: {
    'limits the attempts': all(
      insertAfter('	delay   time.Duration\n', '	limit   int\n'),
      replace(
        '			job.Attempts++\n',
        '			job.Attempts++\n			if job.Attempts >= q.limit {\n				continue\n			}\n',
      ),
    ),
    'adds a method before one that starts alike': insertBefore(
      'func (q *Queue) Close() {\n',
      'func (q *Queue) Len() int {\n	q.mu.Lock()\n	defer q.mu.Unlock()\n	return len(q.jobs)\n}\n\n',
    ),
    'wraps the error': all(
      insertAfter('	"errors"\n', '	"fmt"\n'),
      replace(
        '			if err := q.Push(job); err != nil {\n				return err\n',
        '			if err := q.Push(job); err != nil {\n				return fmt.Errorf("push again: %w", err)\n',
      ),
    ),
    'changes the last function': replace(
      '	q.closed = true\n',
      '	q.closed = true\n	q.jobs = nil\n',
    ),
    'removes the check of closed': remove('	if q.closed {\n		return ErrClosed\n	}\n'),
  },
};
